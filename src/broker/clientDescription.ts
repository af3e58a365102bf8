import type { RequestContext } from './handler.ts';
import type { ClientDescription } from './telemetrySubscriptions.ts';

/** What a connection tells of its client. [ClientMetricsInstanceMetadata] */
export function clientDescription({
  clientId,
  clientHost,
  clientPort,
  session,
}: RequestContext): Omit<ClientDescription, 'client_instance_id'> {
  return {
    client_id: clientId,
    client_software_name: session.software.name,
    client_software_version: session.software.version,
    client_source_address: clientHost.replace(/^\//, ''),
    client_source_port: String(clientPort),
  };
}
