"""kafka-python with each codec; values travel as lines of base64.

usage: codec_client.py produce BOOTSTRAP TOPIC < values      to partition N with codec N
       codec_client.py consume BOOTSTRAP COUNT TOPIC...      prints "topic partition value"
"""

import base64
import sys
import time

from kafka import KafkaConsumer, KafkaProducer, TopicPartition

CODECS = [None, "gzip", "snappy", "lz4", "zstd"]


def produce(bootstrap, topic):
    values = [base64.b64decode(line) for line in sys.stdin]
    for partition, codec in enumerate(CODECS):
        producer = KafkaProducer(
            bootstrap_servers=bootstrap, compression_type=codec, linger_ms=50, acks="all"
        )
        sent = [producer.send(topic, value=value, partition=partition) for value in values]
        for future in sent:
            future.get(timeout=30)
        producer.close()


def consume(bootstrap, count, *topics):
    partitions = [TopicPartition(topic, n) for topic in topics for n in range(len(CODECS))]
    consumer = KafkaConsumer(bootstrap_servers=bootstrap)
    consumer.assign(partitions)
    consumer.seek_to_beginning(*partitions)
    missing = int(count) * len(partitions)
    deadline = time.monotonic() + 30
    while missing > 0 and time.monotonic() < deadline:
        for batch in consumer.poll(timeout_ms=500).values():
            for record in batch:
                print(record.topic, record.partition, base64.b64encode(record.value).decode())
                missing -= 1
    consumer.close()


if __name__ == "__main__":
    {"produce": produce, "consume": consume}[sys.argv[1]](*sys.argv[2:])
