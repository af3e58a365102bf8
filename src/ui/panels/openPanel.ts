import type { Event } from '../../base/event.ts';
import type { Transport } from '../../shared/channel.ts';

/** What a server sees of its panel. */
export interface OpenPanel {
  readonly transport: Transport;
  /** Told of messages that break the contract. */
  readonly onInvalid: (problem: string) => void;
  setTitle(title: string): void;
  readonly isVisible: boolean;
  /** The panel came to be seen or ceased to be; while it is not, there is no page. */
  readonly onDidChangeVisible: Event<boolean>;
}
