/** Tools that do not work on our broker as they do on Kafka, and why. One that works after all has to go. */
export const exclusions: Readonly<Record<string, string>> = {
  'kafka-client-metrics': 'ListConfigResources is not there yet',
};
