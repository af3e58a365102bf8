// Package records has what both programs read and print.
package records

import (
	"encoding/json"
	"fmt"
	"os"
)

// Sent is a record to produce; nil is a null key or a tombstone.
type Sent struct {
	Key     *string     `json:"key"`
	Value   *string     `json:"value"`
	Headers [][2]string `json:"headers"`
}

// Received is a record as it was consumed.
type Received struct {
	Partition int32       `json:"partition"`
	Offset    string      `json:"offset"`
	Key       *string     `json:"key"`
	Value     *string     `json:"value"`
	Headers   [][2]string `json:"headers"`
}

// Read takes the records to send from standard input.
func Read() (sent []Sent) {
	Check(json.NewDecoder(os.Stdin).Decode(&sent))
	return sent
}

// Write prints what was received.
func Write(received []Received) {
	Check(json.NewEncoder(os.Stdout).Encode(received))
}

// Bytes keeps nil and empty apart.
func Bytes(text *string) []byte {
	if text == nil {
		return nil
	}
	return []byte(*text)
}

// Text keeps nil and empty apart.
func Text(bytes []byte) *string {
	if bytes == nil {
		return nil
	}
	text := string(bytes)
	return &text
}

// Check ends the program where something failed.
func Check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
