import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ClusterProfile } from '../../../../src/cluster/model.ts';
import { importProperties } from '../../../../src/cluster/connections/profileProperties.ts';
import {
  draftOfImport,
  draftOfProfile,
  hasSecret,
  newDraft,
  profileOfDraft,
  secretsOfDraft,
  withoutSecrets,
  withSecret,
  withTls,
} from '../../../../src/ui/connections/draft.ts';

const profile: ClusterProfile = {
  id: 'a',
  kind: 'remote',
  name: 'prod',
  bootstrap: ['kafka:9093'],
  readOnly: false,
  isProduction: true,
  color: 'red',
  security: {
    protocol: 'SASL_SSL',
    tls: { checkHostName: false, authorities: { file: 'ca.pem' } },
    sasl: { mechanism: 'PLAIN', username: 'alice' },
  },
};

describe('the draft of a connection', () => {
  it('comes to the profile that it was made of [B1]', () => {
    const { id, kind, ...rest } = profile;
    assert.deepEqual(profileOfDraft(draftOfProfile(profile, { secrets: {}, stored: [] })), rest);
    assert.ok(id && kind);
  });

  it('comes to the profile of an import, with its secrets apart [B1] [B3]', () => {
    const draft = draftOfImport(
      importProperties(
        [
          'bootstrap.servers=a:1',
          'security.protocol=SASL_PLAINTEXT',
          'sasl.username=alice',
          'sasl.password=wonderland',
        ].join('\n'),
      ),
    );
    assert.deepEqual(profileOfDraft({ ...draft, name: 'a' }), {
      name: 'a',
      bootstrap: ['a:1'],
      readOnly: false,
      security: { protocol: 'SASL_PLAINTEXT', sasl: { mechanism: 'PLAIN', username: 'alice' } },
    });
    assert.deepEqual(secretsOfDraft(draft, {}), { password: 'wonderland' });
  });

  it('comes to the profile of a connection with a token, and keeps its user name [B1] [B2]', () => {
    const token = {
      kind: 'clientCredentials',
      tokenUrl: 'https://a/token',
      clientId: 'a',
    } as const;
    const draft = draftOfProfile(profile, { secrets: {}, stored: [] });
    const bearer = { ...draft, mechanism: 'OAUTHBEARER', token, extensions: { x: 'y' } } as const;
    const { security } = profileOfDraft(bearer);
    assert.deepEqual(security && 'sasl' in security && security.sasl, { mechanism: 'OAUTHBEARER', token, extensions: { x: 'y' } }); // prettier-ignore
    const again = draftOfProfile({ ...profile, ...(security && { security }) }, { secrets: {}, stored: [] }); // prettier-ignore
    assert.deepEqual([again.mechanism, again.token], ['OAUTHBEARER', token]);
    assert.deepEqual(profileOfDraft({ ...bearer, mechanism: 'PLAIN' }).security, profile.security);
  });

  it('keeps the TLS settings while another protocol is looked at [B1]', () => {
    const draft = draftOfProfile(profile, { secrets: {}, stored: [] });
    const plain = { ...draft, protocol: 'PLAINTEXT' } as const;
    assert.deepEqual(profileOfDraft(plain).security, { protocol: 'PLAINTEXT' });
    assert.deepEqual(profileOfDraft({ ...plain, protocol: 'SSL' }).security, {
      protocol: 'SSL',
      tls: { checkHostName: false, authorities: { file: 'ca.pem' } },
    });
  });

  it('leaves a stored secret as it is unless a new one is typed [B3]', () => {
    const known = { password: 'wonderland' };
    const draft = draftOfProfile(profile, { secrets: {}, stored: ['password'] });
    assert.ok(hasSecret(draft, 'password'));
    assert.deepEqual(secretsOfDraft(withSecret(draft, 'password', ''), known), known);
    const changed = withSecret(draft, 'password', 'looking-glass');
    assert.deepEqual(secretsOfDraft(changed, known), { password: 'looking-glass' });
  });

  it('forgets the passphrase of a key that is replaced [B3]', () => {
    const known = { password: 'wonderland', passphrase: 'sesame' };
    const draft = draftOfProfile(profile, { secrets: {}, stored: ['password', 'passphrase'] });
    assert.deepEqual(secretsOfDraft(withoutSecrets(draft, 'passphrase'), known), {
      password: 'wonderland',
    });
  });

  it('takes a TLS setting away again [B1]', () => {
    const named = withTls(newDraft(), { serverName: 'kafka.example' });
    assert.deepEqual(named.tls, { checkHostName: true, serverName: 'kafka.example' });
    assert.deepEqual(withTls(named, { serverName: undefined }).tls, { checkHostName: true });
  });
});
