import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { BrokerConfig } from '../config/brokerConfigs.ts';
import { numberOf } from '../config/configText.ts';
import { AddressLimits } from './addressLimits.ts';
import { type ConnectionRates, longestThrottleMs } from './connectionRates.ts';
import { QuotaRate } from './quotaRate.ts';

/** A connection that came in. */
export interface Arrival {
  readonly address: string;
  readonly serve: () => void;
  /** Closes it, after a while or at once. */
  readonly refuse: (afterMs: number) => void;
}

/** Says when a listener may serve what comes in. */
export interface ConnectionGate {
  /** The result takes arrivals, and answers what to call once each is closed. */
  open(listener: string, closeLeastRecentlyUsed: () => boolean): (arrival: Arrival) => () => void;
}

/**
 * More are closed. Kafka leaves them to the operating system, which lets a client wait or not.
 * [socket.listen.backlog.size]
 */
const mostWaiting = 128;

interface Visit {
  readonly arrival: Arrival;
  /** Among the connections that there are. */
  isCounted: boolean;
}

interface OpenListener {
  readonly name: string;
  readonly rate: QuotaRate;
  /** Only the first one is looked at. */
  readonly waiting: Visit[];
  readonly closeLeastRecentlyUsed: () => boolean;
  count: number;
  /** Whether the first of those that wait is counted in the rates. */
  isRecorded: boolean;
  /** The first of those that wait does so for a rate. */
  throttle: Disposable | undefined;
}

interface QuotasOptions {
  readonly config: BrokerConfig;
  /** Of single addresses. */
  readonly rates: ConnectionRates;
  readonly clock: Clock;
}

/**
 * How many connections a broker has, and how fast new ones come. Beyond max.connections and
 * max.connection.creation.rate they wait, one after the other, for each listener; beyond what an address may have they
 * are closed. The listener that brokers reach each other by does not wait for the others: where it is one too many, the
 * one of another listener is closed that was used least recently. [SocketServer, ConnectionQuotas]
 */
export class ConnectionQuotas implements ConnectionGate {
  readonly #options: QuotasOptions;
  readonly #listeners = new Map<string, OpenListener>();
  readonly #ofAddress = new Map<string, number>();
  readonly #limits: AddressLimits;
  readonly #rate = new QuotaRate();
  #count = 0;
  #isClosingExcess = false;

  constructor(options: QuotasOptions) {
    this.#options = options;
    this.#limits = new AddressLimits(options.config);
  }

  open(name: string, closeLeastRecentlyUsed: () => boolean): (arrival: Arrival) => () => void {
    const listener: OpenListener = {
      name,
      rate: new QuotaRate(),
      waiting: [],
      closeLeastRecentlyUsed,
      count: 0,
      isRecorded: false,
      throttle: undefined,
    };
    this.#listeners.set(name, listener);
    return (arrival) => this.#arrive(listener, arrival);
  }

  /** The limits may have changed. */
  followConfigs(): void {
    this.#limits.follow();
    this.#serveAll();
  }

  /** Serves nobody who waits. */
  close(): void {
    for (const listener of this.#listeners.values()) {
      listener.throttle?.dispose();
      listener.waiting.length = 0;
    }
  }

  #arrive(listener: OpenListener, arrival: Arrival): () => void {
    if (listener.waiting.length === mostWaiting) {
      arrival.refuse(0);
      return () => undefined;
    }
    const visit: Visit = { arrival, isCounted: false };
    listener.waiting.push(visit);
    this.#serveWaiting(listener);
    return () => this.#leave(listener, visit);
  }

  #leave(listener: OpenListener, visit: Visit): void {
    const place = listener.waiting.indexOf(visit);
    if (place !== -1) listener.waiting.splice(place, 1);
    if (place === 0) this.#forgetThrottle(listener);
    if (visit.isCounted) this.#uncount(listener, visit);
    this.#serveAll();
  }

  #serveAll(): void {
    for (const listener of this.#listeners.values()) this.#serveWaiting(listener);
    this.#closeExcess();
  }

  #serveWaiting(listener: OpenListener): void {
    for (let [visit] = listener.waiting; visit; [visit] = listener.waiting) {
      if (listener.throttle || this.#throttles(listener) || !this.#hasPlace(listener)) return;
      listener.waiting.shift();
      listener.isRecorded = false;
      this.#letIn(listener, visit);
    }
  }

  /** Counts the first of those that wait once, and has it wait where it comes too soon. */
  #throttles(listener: OpenListener): boolean {
    if (listener.isRecorded) return false;
    listener.isRecorded = true;
    const { clock } = this.#options;
    const nowMs = clock.monotonicMs();
    const rates = this.#isProtected(listener) ? [] : [{ rate: this.#rate, of: undefined }];
    const waits = [...rates, { rate: listener.rate, of: listener }].map(({ rate, of }) => {
      rate.record(1, nowMs);
      return rate.throttleMs(this.#limit('max.connection.creation.rate', of), nowMs);
    });
    const throttleMs = Math.min(Math.max(...waits), longestThrottleMs);
    if (throttleMs <= 0) return false;
    listener.throttle = clock.setTimer(throttleMs, () => {
      listener.throttle = undefined;
      this.#serveWaiting(listener);
    });
    return true;
  }

  #forgetThrottle(listener: OpenListener): void {
    listener.throttle?.dispose();
    listener.throttle = undefined;
    listener.isRecorded = false;
  }

  #letIn(listener: OpenListener, visit: Visit): void {
    const { address, serve, refuse } = visit.arrival;
    const heldMs = this.#options.rates.admit(address);
    if (heldMs > 0) {
      // One that is not served does not count.
      const nowMs = this.#options.clock.monotonicMs();
      if (!this.#isProtected(listener)) this.#rate.record(-1, nowMs);
      listener.rate.record(-1, nowMs);
      refuse(heldMs);
    } else if ((this.#ofAddress.get(address) ?? 0) >= this.#limits.of(address)) {
      refuse(0);
    } else {
      this.#addTo(listener, address, 1);
      visit.isCounted = true;
      serve();
      this.#closeExcess();
    }
  }

  #uncount(listener: OpenListener, visit: Visit): void {
    visit.isCounted = false;
    this.#addTo(listener, visit.arrival.address, -1);
  }

  #addTo(listener: OpenListener, address: string, change: 1 | -1): void {
    this.#count += change;
    listener.count += change;
    const ofAddress = (this.#ofAddress.get(address) ?? 0) + change;
    if (ofAddress === 0) this.#ofAddress.delete(address);
    else this.#ofAddress.set(address, ofAddress);
  }

  #hasPlace(listener: OpenListener): boolean {
    if (listener.count >= this.#limit('max.connections', listener)) return false;
    return this.#isProtected(listener) || this.#count < this.#limit('max.connections');
  }

  /** [SocketServer.Processor.closeExcessConnections] */
  #closeExcess(): void {
    if (this.#isClosingExcess) return; // each that leaves comes back here
    this.#isClosingExcess = true;
    const most = this.#limit('max.connections');
    for (const listener of this.#listeners.values()) {
      if (this.#isProtected(listener)) continue;
      while (this.#count > most && listener.closeLeastRecentlyUsed());
    }
    this.#isClosingExcess = false;
  }

  /** [ConnectionQuotas.protectedListener] */
  #isProtected({ name }: OpenListener): boolean {
    const { config } = this.#options;
    const between =
      config.text('inter.broker.listener.name') ?? config.text('security.inter.broker.protocol');
    return this.#listeners.size > 1 && name === between?.toUpperCase();
  }

  #limit(name: 'max.connections' | 'max.connection.creation.rate', of?: OpenListener): number {
    const { config } = this.#options;
    const own = of && config.explicit(`listener.name.${of.name.toLowerCase()}.${name}`);
    return own === undefined ? config.number(name) : numberOf(own);
  }
}
