// A child process loads this file, so that it ends with its parent. A parent that is killed with -9 cannot forward a
// signal, but its end closes the channel to the child.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
// The processes that the child forks inherit this option, but must keep their channels open. So remove the option.
const at = process.execArgv.indexOf(import.meta.url)
if (at > 0) process.execArgv.splice(at - 1, 2)
