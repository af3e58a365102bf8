import type { RequestContext } from './handler.ts';
import type { ConnectedClient } from './clientTelemetry.ts';

/** What a connection tells of its client. [ClientMetricsInstanceMetadata] */
export function connectedClient({
  clientId,
  clientHost,
  clientPort,
  session,
  signal,
}: RequestContext): ConnectedClient {
  const description = {
    client_id: clientId,
    client_software_name: session.software.name,
    client_software_version: session.software.version,
    client_source_address: clientHost.replace(/^\//, ''),
    client_source_port: String(clientPort),
  };
  return { description, connection: signal };
}
