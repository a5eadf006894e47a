// goroutines.go does what tasks.c, waiting.c and offload.c do, with goroutines.
//
// Where one thread of ours is measured, Go gets one as well: GOMAXPROCS(1) is
// its fastest way to take turns. Sleepers, pipes and jobs may use all cores.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
)

const (
	tasks      = 100
	turns      = 10 * 1000
	rounds     = 5 * 1000
	roundTrips = 5 * 1000
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func row(what string, n int, unit string, value float64) {
	fmt.Printf("%s\t%s\t%d\t%s\t%.3f\n", what, os.Args[1], n, unit, value)
}

func nanoseconds(since time.Time) float64 {
	return float64(time.Since(since).Nanoseconds())
}

func resident() float64 {
	var size, pages int
	text, err := os.ReadFile("/proc/self/statm")
	check(err)
	_, err = fmt.Sscan(string(text), &size, &pages)
	check(err)
	return float64(pages) * float64(os.Getpagesize())
}

func cpu() float64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano() + usage.Stime.Nano())
}

// Starts n goroutines and returns when all of them are done.
func run(n int, f func()) {
	var left sync.WaitGroup
	left.Add(n)
	for i := 0; i < n; i++ {
		go func() {
			f()
			left.Done()
		}()
	}
	left.Wait()
}

func measureYield(int) {
	runtime.GOMAXPROCS(1)
	start := time.Now()
	run(tasks, func() {
		for i := 0; i < turns; i++ {
			runtime.Gosched()
		}
	})
	row("yield", tasks, "ns", nanoseconds(start)/tasks/turns)
}

func measureLife(int) {
	runtime.GOMAXPROCS(1)
	start := time.Now()
	for i := 0; i < rounds; i++ {
		run(tasks, func() {})
	}
	row("go and finish", tasks, "ns", nanoseconds(start)/tasks/rounds)
}

func measureParked(n int) {
	var arrived, left sync.WaitGroup
	wake := make(chan struct{})
	before, start := resident(), time.Now()
	arrived.Add(n)
	left.Add(n)
	for i := 0; i < n; i++ {
		go func() {
			arrived.Done()
			<-wake
			left.Done()
		}()
	}
	arrived.Wait()
	after := resident()
	close(wake)
	left.Wait()
	took := nanoseconds(start)
	row("resident memory of one that waits", n, "bytes", (after-before)/float64(n))
	row("many at once: create, park, wake, finish one", n, "ns", took/float64(n))
}

// There are 20 us for each of them to be created in.
func measureSleepers(n int) {
	deadline := time.Now().Add(time.Duration(n) * 20 * time.Microsecond)
	run(n, func() { time.Sleep(time.Until(deadline)) })
	row("many sleepers: past their deadline", n, "ms", nanoseconds(deadline)/1e6)
	row("many sleepers: CPU time", n, "ms", cpu()/1e6)
}

// 2 us times their number is 2 s for a million.
func measureNaps(n int) {
	start := time.Now()
	run(n, func() { time.Sleep(time.Duration(n) * 2 * time.Microsecond) })
	row("many sleepers, each from its start: wall time", n, "ms", nanoseconds(start)/1e6)
	row("many sleepers, each from its start: CPU time", n, "ms", cpu()/1e6)
}

func bounce(in, out *os.File) {
	var b [1]byte
	_, err := in.Read(b[:])
	check(err)
	_, err = out.Write(b[:])
	check(err)
}

func measurePipe(int) {
	var b [1]byte
	in, toOther, err := os.Pipe()
	check(err)
	toFirst, out, err := os.Pipe()
	check(err)
	start := time.Now()
	go func() {
		for i := 0; i < roundTrips; i++ {
			bounce(in, out)
		}
	}()
	_, err = toOther.Write(b[:])
	check(err)
	for i := 0; i < roundTrips-1; i++ {
		bounce(toFirst, toOther)
	}
	_, err = toFirst.Read(b[:])
	check(err)
	row("round trip through two pipes", 2, "ns", nanoseconds(start)/roundTrips)
}

// A goroutine that keeps a thread for itself stands for the worker.
func measureJob(int) {
	ask, answer := make(chan struct{}), make(chan struct{})
	go func() {
		runtime.LockOSThread()
		for range ask {
			answer <- struct{}{}
		}
	}()
	start := time.Now()
	for i := 0; i < roundTrips; i++ {
		ask <- struct{}{}
		<-answer
	}
	row("a job to a worker and back", 1, "ns", nanoseconds(start)/roundTrips)
}

func main() {
	measures := map[string]func(int){
		"yield": measureYield, "life": measureLife, "parked": measureParked,
		"sleepers": measureSleepers, "naps": measureNaps, "pipe": measurePipe, "job": measureJob,
	}
	n, err := strconv.Atoi(os.Args[3])
	check(err)
	measures[os.Args[2]](n)
}
