// franz-go as an application: one call per command, JSON in and out.
//
//	franz BOOTSTRAP create TOPIC PARTITIONS
//	franz BOOTSTRAP produce TOPIC              < [{key, value, headers}]
//	franz BOOTSTRAP consume GROUP TOPIC COUNT  > [{partition, offset, key, value, headers}]
package main

import (
	"context"
	"os"
	"strconv"
	"time"

	"clients/records"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Second)
	defer cancel()
	bootstrap, command, args := os.Args[1], os.Args[2], os.Args[3:]
	switch command {
	case "create":
		create(ctx, bootstrap, args[0], args[1])
	case "produce":
		produce(ctx, bootstrap, args[0])
	case "consume":
		consume(ctx, bootstrap, args[0], args[1], args[2])
	}
}

func create(ctx context.Context, bootstrap, topic, partitions string) {
	client := open(kgo.SeedBrokers(bootstrap))
	defer client.Close()
	count, err := strconv.Atoi(partitions)
	records.Check(err)
	_, err = kadm.NewClient(client).CreateTopic(ctx, int32(count), 1, nil, topic)
	records.Check(err)
}

func produce(ctx context.Context, bootstrap, topic string) {
	client := open(kgo.SeedBrokers(bootstrap), kgo.DefaultProduceTopic(topic))
	defer client.Close()
	for _, sent := range records.Read() {
		record := &kgo.Record{Key: records.Bytes(sent.Key), Value: records.Bytes(sent.Value)}
		for _, header := range sent.Headers {
			record.Headers = append(record.Headers, kgo.RecordHeader{Key: header[0], Value: []byte(header[1])})
		}
		records.Check(client.ProduceSync(ctx, record).FirstErr())
	}
}

func consume(ctx context.Context, bootstrap, group, topic, wanted string) {
	client := open(
		kgo.SeedBrokers(bootstrap), kgo.ConsumerGroup(group), kgo.ConsumeTopics(topic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.DisableAutoCommit(),
	)
	defer client.Close()
	count, err := strconv.Atoi(wanted)
	records.Check(err)
	received := []records.Received{}
	for len(received) < count {
		fetches := client.PollFetches(ctx)
		records.Check(fetches.Err())
		fetches.EachRecord(func(record *kgo.Record) {
			one := records.Received{Partition: record.Partition, Offset: strconv.FormatInt(record.Offset, 10)}
			one.Key, one.Value = records.Text(record.Key), records.Text(record.Value)
			one.Headers = [][2]string{}
			for _, header := range record.Headers {
				one.Headers = append(one.Headers, [2]string{header.Key, string(header.Value)})
			}
			received = append(received, one)
		})
	}
	records.Check(client.CommitUncommittedOffsets(ctx))
	records.Write(received)
}

func open(options ...kgo.Opt) *kgo.Client {
	client, err := kgo.NewClient(options...)
	records.Check(err)
	return client
}
