function ours() { owner() }
