// sarama as an application: one call per command, JSON in and out.
//
//	sarama BOOTSTRAP create TOPIC PARTITIONS
//	sarama BOOTSTRAP produce TOPIC              < [{key, value, headers}]
//	sarama BOOTSTRAP consume GROUP TOPIC COUNT  > [{partition, offset, key, value, headers}]
package main

import (
	"context"
	"os"
	"strconv"
	"sync"
	"time"

	"clients/records"

	"github.com/IBM/sarama"
)

func main() {
	bootstrap, command, args := []string{os.Args[1]}, os.Args[2], os.Args[3:]
	config := sarama.NewConfig()
	config.Version = sarama.V3_9_0_0
	config.Producer.Return.Successes = true
	config.Consumer.Offsets.Initial = sarama.OffsetOldest
	config.Consumer.Offsets.AutoCommit.Enable = false
	switch command {
	case "create":
		create(bootstrap, config, args[0], args[1])
	case "produce":
		produce(bootstrap, config, args[0])
	case "consume":
		consume(bootstrap, config, args[0], args[1], args[2])
	}
}

func create(bootstrap []string, config *sarama.Config, topic, partitions string) {
	admin, err := sarama.NewClusterAdmin(bootstrap, config)
	records.Check(err)
	defer admin.Close()
	count, err := strconv.Atoi(partitions)
	records.Check(err)
	detail := &sarama.TopicDetail{NumPartitions: int32(count), ReplicationFactor: 1}
	records.Check(admin.CreateTopic(topic, detail, false))
}

func produce(bootstrap []string, config *sarama.Config, topic string) {
	producer, err := sarama.NewSyncProducer(bootstrap, config)
	records.Check(err)
	defer producer.Close()
	for _, sent := range records.Read() {
		message := &sarama.ProducerMessage{Topic: topic}
		if sent.Key != nil {
			message.Key = sarama.StringEncoder(*sent.Key)
		}
		if sent.Value != nil {
			message.Value = sarama.StringEncoder(*sent.Value)
		}
		for _, header := range sent.Headers {
			pair := sarama.RecordHeader{Key: []byte(header[0]), Value: []byte(header[1])}
			message.Headers = append(message.Headers, pair)
		}
		_, _, err = producer.SendMessage(message)
		records.Check(err)
	}
}

func consume(bootstrap []string, config *sarama.Config, group, topic, wanted string) {
	count, err := strconv.Atoi(wanted)
	records.Check(err)
	member, err := sarama.NewConsumerGroup(bootstrap, group, config)
	records.Check(err)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Second)
	defer cancel()
	handler := &collector{wanted: count, enough: cancel}
	records.Check(member.Consume(ctx, []string{topic}, handler))
	records.Check(member.Close())
	records.Write(handler.received)
}

// collector gathers records of all partitions until there are enough.
type collector struct {
	mutex    sync.Mutex
	received []records.Received
	wanted   int
	enough   func()
}

func (c *collector) Setup(sarama.ConsumerGroupSession) error { return nil }

func (c *collector) Cleanup(session sarama.ConsumerGroupSession) error {
	session.Commit()
	return nil
}

func (c *collector) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for {
		select {
		case <-session.Context().Done():
			return nil
		case message, open := <-claim.Messages():
			if !open {
				return nil
			}
			session.MarkMessage(message, "")
			c.add(message)
		}
	}
}

func (c *collector) add(message *sarama.ConsumerMessage) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	one := records.Received{Partition: message.Partition, Offset: strconv.FormatInt(message.Offset, 10)}
	one.Key, one.Value = records.Text(message.Key), records.Text(message.Value)
	one.Headers = [][2]string{}
	for _, header := range message.Headers {
		one.Headers = append(one.Headers, [2]string{string(header.Key), string(header.Value)})
	}
	c.received = append(c.received, one)
	if len(c.received) >= c.wanted {
		c.enough()
	}
}
