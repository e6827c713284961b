package main

// main is what c-shared wants of a package; nobody calls it.
func main() {}
