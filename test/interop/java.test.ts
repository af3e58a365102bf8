import { describeClient } from './support/describeClient.ts';
import { connectJava } from './support/javaClient.ts';

describeClient({
  name: 'the Java client (classic group)',
  connect: (bootstrap) => connectJava(bootstrap, 'classic'),
});

describeClient({
  name: 'the Java client (consumer group)',
  connect: (bootstrap) => connectJava(bootstrap, 'consumer'),
  stateAtEnd: 'Dead',
});
