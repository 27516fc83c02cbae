// Loaded into a child that must end with its parent. A parent that is killed by -9 forwards no signal, but its end
// closes the channel between both.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
// A process that the child forks inherits its options. It needs its own channel, and must not let go of it.
const at = process.execArgv.indexOf(import.meta.url)
if (at > 0) process.execArgv.splice(at - 1, 2)
