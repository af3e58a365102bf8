// Who says what of changes of configs, and in which order. [ConfigAdminManager.preprocess, ControllerApis]
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { silentLogger } from '../../../../src/base/logger.ts';
import { inOneGo, inTurns, type Steps } from '../../../../src/base/turns.ts';
import { BrokerConfig } from '../../../../src/broker/config/brokerConfigs.ts';
import { brokerConfigsProblem } from '../../../../src/broker/controller/alterBrokerConfigs.ts';
import { MetadataImage } from '../../../../src/broker/controller/metadataImage.ts';
import type { RequestContext, RequestOf } from '../../../../src/broker/handler.ts';
import { incrementalAlterConfigs } from '../../../../src/broker/handlers/incrementalAlterConfigs.ts';
import { LevelledLogger } from '../../../../src/broker/levelledLogger.ts';
import { RequestError } from '../../../../src/broker/requestError.ts';
import { errorByCode } from '../../../../src/protocol/errors.ts';

const [topic, broker, brokerLogger] = [2, 4, 8];

type Resource = readonly [type: number, name: string, config: string, value: string];
type Change = <T>(decide: (image: MetadataImage) => Steps<{ result: T }>) => Promise<T>;

const image = new MetadataImage();
const decideOnly: Change = (decide) => Promise.resolve(inOneGo(decide(image)).result);

class Asked {
  readonly logger = new LevelledLogger(silentLogger);
  changes = 0;

  async errors(
    resources: readonly Resource[],
    { may = true, change = decideOnly } = {},
  ): Promise<string[]> {
    const counted: Change = (decide) => {
      this.changes++;
      return change(decide);
    };
    const controller = { image, change: counted };
    const { logger } = this;
    const context = {
      inTurns,
      access: { may: () => may },
      node: { id: 1, logger, cluster: { config: new BrokerConfig(), logger, controller } },
    } as unknown as RequestContext;
    const request = {
      resources: resources.map(([resourceType, resourceName, name, value]) => {
        const configs = [{ name, configOperation: 0, value }];
        return { resourceType, resourceName, configs };
      }),
      validateOnly: false,
    } as unknown as RequestOf<'incrementalAlterConfigs'>;
    const answer = await incrementalAlterConfigs.handle(request, context);
    const { responses } = answer as { responses: { errorCode: number }[] };
    return responses.map(({ errorCode }) => errorByCode(errorCode).name);
  }
}

describe('Changes of configs', () => {
  it('[C7] of a logger are refused first to who may not make them, whatever its name', async () => {
    const resources = ['1', '2', 'x'].map((name): Resource => [
      brokerLogger,
      name,
      'no.such.logger',
      'INFO',
    ]);
    const refused = 'CLUSTER_AUTHORIZATION_FAILED';
    const asked = new Asked();
    assert.deepEqual(await asked.errors(resources, { may: false }), [refused, refused, refused]);
    const [invalid, missing] = ['INVALID_REQUEST', 'INVALID_CONFIG'];
    assert.deepEqual(await asked.errors(resources), [missing, invalid, invalid]);
  });

  it('[C7] of a broker are refused first to who may not make them, and last by the controller', async () => {
    const resources: Resource[] = [
      [broker, '2', 'any', ''],
      [broker, '1', 'log.cleaner.threads', 'x'],
      [broker, '', 'any', 'x'.repeat(32_768)],
    ];
    const asked = new Asked();
    const refused = 'CLUSTER_AUTHORIZATION_FAILED';
    assert.deepEqual(await asked.errors(resources, { may: false }), [refused, refused, refused]);
    assert.equal(asked.changes, 0);
    const invalid = 'INVALID_REQUEST';
    assert.deepEqual(await asked.errors(resources), [invalid, invalid, 'INVALID_CONFIG']);
    assert.equal(asked.changes, 1);
  });

  it('[C7] that the broker makes itself stay where the controller fails over others', async () => {
    const asked = new Asked();
    const resources: Resource[] = [
      [brokerLogger, '1', 'root', 'WARN'],
      [topic, 'a', 'retention.ms', '1'],
    ];
    const change = () => Promise.reject(new RequestError('POLICY_VIOLATION', 'too large'));
    assert.deepEqual(await asked.errors(resources, { change }), ['NONE', 'POLICY_VIOLATION']);
    assert.equal(asked.logger.level, 'WARN');
  });

  it('[C7] that the broker settles are not asked of the controller', async () => {
    const asked = new Asked();
    const resources: Resource[] = [
      [brokerLogger, '1', 'root', 'ERROR'],
      [broker, '2', 'any', ''],
    ];
    assert.deepEqual(await asked.errors(resources), ['NONE', 'INVALID_REQUEST']);
    assert.equal(asked.changes, 0);
  });

  it('[A3] of many names of a broker are looked at a name a step', () => {
    const count = 1000;
    const changes = Array.from({ length: count }, (_, n) => {
      return { name: `any.${n}`, operation: 0, value: '' };
    });
    const steps = brokerConfigsProblem(image, '', changes, new BrokerConfig());
    let taken = 0;
    while (steps.next().done !== true) taken++;
    // Each is set, may be fixed, has a value, and may be of one broker.
    assert.ok(taken >= 4 * count, `${taken}`);
  });
});
