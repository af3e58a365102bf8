/** What a log needs of who keeps it. */
export interface LogHome<Log> {
  /**
   * Makes the folder of a log before anything is written there; what is there of another topic is set aside. Answers
   * whether the folder is new.
   */
  makeFolder(log: Log): Promise<boolean>;
  /** Makes it durable that log starts were moved by a client, before that is answered. */
  persistLogStarts(): Promise<void>;
  /** There may be something to flush. */
  noteChanged(log: Log): void;
  /** The disk failed it: it is offline. */
  noteFailed(log: Log): void;
  /** What could not be read can be read now. */
  noteRecovered(log: Log): void;
}
