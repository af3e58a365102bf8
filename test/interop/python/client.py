"""kafka-python as an application: one call per command, JSON in and out.

usage: client.py BOOTSTRAP create TOPIC PARTITIONS
       client.py BOOTSTRAP produce TOPIC            < [{key, value, headers}]
       client.py BOOTSTRAP consume GROUP TOPIC COUNT > [{partition, offset, key, value, headers}]
"""

import json
import sys
import time

from kafka import KafkaConsumer, KafkaProducer
from kafka.admin import KafkaAdminClient, NewTopic


def encode(text):
    return None if text is None else text.encode()


def decode(data):
    return None if data is None else data.decode()


def create(bootstrap, topic, partitions):
    admin = KafkaAdminClient(bootstrap_servers=bootstrap)
    admin.create_topics([NewTopic(topic, num_partitions=int(partitions), replication_factor=1)])
    admin.close()


def produce(bootstrap, topic):
    producer = KafkaProducer(bootstrap_servers=bootstrap, acks="all")
    for record in json.load(sys.stdin):
        headers = [(name, encode(text)) for name, text in record["headers"]]
        producer.send(
            topic, key=encode(record["key"]), value=encode(record["value"]), headers=headers
        ).get(timeout=30)
    producer.close()


def consume(bootstrap, group, topic, count):
    consumer = KafkaConsumer(
        topic,
        bootstrap_servers=bootstrap,
        group_id=group,
        auto_offset_reset="earliest",
        enable_auto_commit=False,
    )
    records = []
    deadline = time.monotonic() + 45
    while len(records) < int(count) and time.monotonic() < deadline:
        for batch in consumer.poll(timeout_ms=500).values():
            records.extend(batch)
    consumer.commit()
    consumer.close()
    json.dump(
        [
            {
                "partition": record.partition,
                "offset": str(record.offset),
                "key": decode(record.key),
                "value": decode(record.value),
                "headers": [[name, decode(data)] for name, data in record.headers],
            }
            for record in records
        ],
        sys.stdout,
    )


if __name__ == "__main__":
    {"create": create, "produce": produce, "consume": consume}[sys.argv[2]](
        sys.argv[1], *sys.argv[3:]
    )
