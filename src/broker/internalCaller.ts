/** Who asks a coordinator where no client does; the version is one in which errors have their own names. */
export const internalCaller = {
  apiVersion: 5,
  clientId: '',
  clientHost: '',
  signal: new AbortController().signal,
};
