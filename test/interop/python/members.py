"""Members of a group with librdkafka, each in a thread: what ConsumerMembers.java does, with the same commands."""

import json
import sys
import threading

from confluent_kafka import Consumer

bootstrap, group, topic = sys.argv[1:4]
closing = set()
members = {}
printing = threading.Lock()


def say(**fact):
    with printing:
        print(json.dumps(fact), flush=True)


def run(name, protocol):
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": group,
            "client.id": name,
            "group.protocol": protocol,
            "auto.offset.reset": "earliest",
            "topic.metadata.refresh.interval.ms": 1000,
        }
    )
    consumer.subscribe(["^" + topic[1:] if topic.startswith("~") else topic])
    before = None
    while name not in closing:
        message = consumer.poll(0.05)
        if message is not None and message.error():
            say(name=name, error=str(message.error()))
        elif message is not None:
            say(name=name, value=message.value().decode())
        partitions = sorted(each.partition for each in consumer.assignment())
        if partitions != before:
            say(name=name, partitions=partitions)
        before = partitions
    consumer.close()
    say(name=name, partitions=None)


for line in sys.stdin:
    command, name, *rest = line.split()
    if command == "add":
        members[name] = threading.Thread(target=run, args=(name, rest[0]))
        members[name].start()
    else:
        closing.add(name)
closing.update(members)
for member in members.values():
    member.join()
