/** Path of a Node 24 executable; installs one on first use. Throws where npm has none for this platform. */
export function node24(): string;
