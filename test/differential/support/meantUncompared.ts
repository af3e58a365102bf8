/**
 * Differences that are meant, and that no scenario shows: what Kafka does there is not the same each time, takes
 * everything beside it with it, or needs more to come to than a scenario has. For the page: nothing fails when one of
 * them goes away.
 */
export const meantUncompared: readonly string[] = [
  'topics with a segment.index.bytes below 12, or compacted ones with one of a few entries: Kafka cannot make the log, or gives up compacting it, as its indexes are full; we go on',
  'a transaction with a partition whose max.message.bytes is below the size of a marker: Kafka cannot end it, and its producer can never begin another; we write the marker',
  'JoinGroup of a member that nobody knows, in a consumer group without members: Kafka forgets the group without writing so, describes it until something else is written, and has it again after a restart; we delete it, and its offsets are those of a group without members',
  "ConsumerGroupHeartbeat, ConsumerGroupDescribe, DescribeTransactions: the order of a member's or a transaction's partitions is in Kafka that of a HashMap, and depends on how that came about, and so does who gets which of what others leave behind; with us a member's come from the least, a transaction's as they were added, and records of who has what in the order of members",
  'OffsetCommit, TxnOffsetCommit, to a group that is not there, where every text is too long: Kafka has an empty group from the next record of its partition on, without writing so, until it is swept or the broker starts again; we have none',
  'A start with classes of Java or with folders that there are not: Kafka does not start; we refuse classes that decide who is let in, and of the others we say that they change nothing, as we do of classes that there are',
  'A start with listeners: one without a host listens on 127.0.0.1 here, in Kafka on every address; ports have to differ, in Kafka those of an IPv4 and an IPv6 address may be one; we advertise neither 0.0.0.0 nor ::, Kafka refuses the first; a port below 0 is refused, in Kafka it fails as it listens; as there are no listeners of controllers and none between brokers, controller.listener.names and inter.broker.listener.name are not looked for among them',
  'A start with a config of a name that nobody knows: Kafka goes on without it, we refuse it, as it is mistyped more often than meant; internal.segment.bytes, which only topics have, is such a name',
  'A start with other values than we can go by: of sasl.enabled.mechanisms, group.consumer.assignors, ssl.keystore.type, ssl.truststore.type, ssl.enabled.protocols and ssl.cipher.suites we take what is there, and with a sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms below zero we do not read keys from the web, which Kafka then does once and never again; what tells of the quorum and of roles and ids in it we do not look at, as each node here has its own',
  'DescribeConfigs, IncrementalAlterConfigs of loggers: there is one, root, and from INFO on who takes the log chooses what to show; Kafka has as many as there are classes that have logged so far',
  'IncrementalAlterConfigs that changes several configs of one resource, one of them by an operation that does not exist, another one in a way that is refused: which counts depends in Kafka on the order of a HashMap; with us it is the order of the request',
  'Produce before version 7, a partition named twice, first with a codec that does not exist and then with what is refused as well: Kafka fails over the whole request, we refuse that partition',
  'InitProducerId of version 6 between tokens of SASL: Kafka refuses it in its own form, as it knows the version, which it does not serve; we close the connection',
  'a certificate of a client that TLS refuses: Java says why in an alert; Node ends the connection after the handshake, without one, where it is expired or nobody trusts it, and OpenSSL calls one that is missing certificate_required or handshake_failure, not bad_certificate',
  'a certificate of a client without a name, whose other names are not marked as critical: Java refuses it, to us it is User:, as one is to Java whose names are',
  'a key of TLS that is encrypted by PBES2, in PEM: Kafka on Java 17 cannot read it, and does not start; we can',
  'AlterClientQuotas of a host by another name than localhost, or with the name of an interface for a zone: Kafka asks the name service and the machine, and all wait for that; to us there is no such host',
  "SCRAM with several extensions in the client's first message: Kafka checks the proof over them in the order of a HashMap, so that a client which signs what it sent is refused by chance; we check it over what was sent",
  'Produce and TxnOffsetCommit of transactions, while others wait to be verified: Kafka asks for all that wait at once and answers each as the version of the first calls for, TRANSACTION_ABORTABLE or INVALID_TXN_STATE, and, of two of one transactional id, the first NETWORK_EXCEPTION or INVALID_PRODUCER_EPOCH; with us each is answered by itself',
  'Produce from version 12, TxnOffsetCommit and EndTxn from version 5, where transaction.version is 0: Kafka cannot write what the transaction has, and refuses the transactional id with CONCURRENT_TRANSACTIONS until it is started again; we go on',
  "A broker that was killed: Kafka goes on from the newest snapshot of a log's producers that it happens to find, which has the last batch of each, so that it refuses retries of those before as out of order, and has lost where a log starts if DeleteRecords moved that within the minute before; we read the last five of each again, and keep the start",
  'A start on a log whose index files, producer snapshots or segments somebody changed or took away while no broker ran: Kafka goes by what is left, and then finds no offset by time, no aborted transaction or no producer, or cuts the log where an index does not fit it; we read them anew from the batches',
  'A start after a crash that left a gap between two segments which compaction did not make: Kafka goes on over it, we take what follows for lost with what is missing, as the recovery point did not cover it',
  'InitProducerId, the first of a broker: Kafka may say COORDINATOR_LOAD_IN_PROGRESS until it has a block of ids, we answer once we have it',
  'SyncGroup of a member whose earlier one has no answer yet: Kafka never answers the earlier one, to us it is REBALANCE_IN_PROGRESS',
  'a group whose last member has gone, where that cannot be written: Kafka leaves it at that, so that after a restart its last members are there again; we try again until it is written',
  'Fetch: where the bytes that are asked for end within a batch Kafka sends the part of it that fits, which clients throw away; we send whole batches only',
];
