// Reads ZIP archives with Go's archive/zip: readzip < LIST
//
// LIST has one path a line. For each, a line of JSON follows on the standard output: the SHA-256 of each file by its
// name as it is in the archive, or the error.
package main

import (
	"archive/zip"
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// Names are bytes, which need not be UTF-8, and JSON has no bytes.
type result struct {
	Files [][2]string `json:"files"`
	Error string      `json:"error64"`
}

func read(path string) (files [][2]string, err error) {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	for _, file := range archive.File {
		if strings.HasSuffix(file.Name, "/") {
			continue
		}
		content, err := file.Open()
		if err != nil {
			return nil, fmt.Errorf("%q: %w", file.Name, err)
		}
		hash := sha256.New()
		_, err = io.Copy(hash, content)
		content.Close()
		if err != nil {
			return nil, fmt.Errorf("%q: %w", file.Name, err)
		}
		name := base64.StdEncoding.EncodeToString([]byte(file.Name))
		files = append(files, [2]string{name, hex.EncodeToString(hash.Sum(nil))})
	}
	return files, nil
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	output := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		files, err := read(lines.Text())
		one := result{Files: files}
		if err != nil {
			one.Error = base64.StdEncoding.EncodeToString([]byte(err.Error()))
		}
		if err := output.Encode(one); err != nil {
			panic(err)
		}
	}
}
