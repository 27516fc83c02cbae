import { createAgent, runAgent } from './agent.ts'
import { readSettings } from './settings.ts'

const say = (line: string): void => console.log(`${new Date().toISOString()} ${line}`)

try {
  const settings = readSettings(process.env)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  say(`${settings.agent} asks ${settings.opsUrl} for jobs of ${settings.printer}`)
  await runAgent(createAgent(settings, say), { pauseMs: settings.pauseMs, signal: stop.signal, say })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
