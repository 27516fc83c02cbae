// Loaded into a child that must not outlive its parent. A parent killed by -9 forwards nothing, but its end closes the
// channel between the two.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
