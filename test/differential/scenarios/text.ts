// Names that are no UTF-8: each broker reads something, and says it again.
import { apis } from '../../../src/protocol/apis.ts';
import { encodeRequest } from '../../../src/protocol/frames.ts';
import type { Scenarios } from '../support/run.ts';

/** In hexadecimal. */
const names = {
  'a surrogate': 'eda080',
  'a pair of them, as Java itself writes them elsewhere': 'eda0bdedb880',
  'half a surrogate': 'eda041',
  'half a surrogate at the end': '41edbf',
  'what looks like its beginning': '41ed',
  'a surrogate behind half a character': 'e282eda080f09fedb080',
  'a character too long': 'c1bfe08080f0808080',
  'beyond the last character': 'f4908080f5f8808080',
  'the middle of a character': '80bf',
  'half a character at the end': 'f09f98',
  'the mark of a byte order': 'efbbbf41',
  'a zero': '410042',
} as const;

/** As long as a name, and nowhere else in a request. */
const placeholder = (bytes: Buffer): string => '~'.repeat(bytes.length);

export const textScenarios: Scenarios = {
  async 'names that are no UTF-8 are read alike'(run) {
    const client = await run.connect();
    for (const [label, hex] of Object.entries(names)) {
      const bytes = Buffer.from(hex, 'hex');
      for (const version of run.versions('describeGroups')) {
        const body = { groups: [placeholder(bytes)], includeAuthorizedOperations: false };
        const correlationId = version;
        const of = { api: apis.describeGroups, version, correlationId, clientId: 'text', body };
        const frame = encodeRequest(of);
        bytes.copy(frame, frame.indexOf(placeholder(bytes)));
        client.write(frame);
        const answer = await run.answerOn('describeGroups', version, client);
        run.note('describeGroups', version, answer, label);
      }
    }
  },
};
