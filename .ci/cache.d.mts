/** Absolute path of the cache folder; `KAFKA_WORKBENCH_CACHE` moves it, to share it between checkouts. */
export function cacheDir(): string;
