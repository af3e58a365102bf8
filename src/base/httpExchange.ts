import { type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** `http:` or `https:`. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Certificates in PEM that are trusted in place of those that Node trusts. */
  readonly authorities?: string | readonly string[];
  /** A longer answer is given up. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly body: string;
}

/**
 * One request and its answer, whose size is bounded. Redirections are not followed: what is sent may be a secret.
 * Rejects with Node's error, an AbortError, or in words.
 */
export function httpExchange(asked: HttpRequest): Promise<HttpResponse> {
  const { url, method, headers, body, authorities, signal } = asked;
  const { protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:')
    return Promise.reject(new Error(`${url} is neither http: nor https:`));
  const options: RequestOptions & { ca?: string[] } = {
    method,
    signal,
    agent: false,
    headers: {
      ...headers,
      ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
    },
    ...(authorities !== undefined && { ca: [authorities].flat() }),
  };
  return new Promise((resolve, reject) => {
    const request = (protocol === 'https:' ? httpsRequest : httpRequest)(url, options, (response) =>
      readBounded(response, asked.maxBytes).then(
        (text) => resolve({ status: response.statusCode ?? 0, body: text }),
        reject,
      ),
    );
    request.on('error', reject);
    request.end(body);
  });
}

async function readBounded(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      response.destroy();
      throw new Error(`the answer has more than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
