// Loaded into a child that must end with its parent. A parent that is killed by -9 forwards no signal, but its end
// closes the channel between both.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
