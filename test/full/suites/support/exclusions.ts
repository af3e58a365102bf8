/** Tools that do not work on our broker as they do on Kafka, and why. One that works after all has to go. */
export const exclusions: Readonly<Record<string, string>> = {
  'kafka-verifiable-share-consumer': 'there are no share groups yet',
};
