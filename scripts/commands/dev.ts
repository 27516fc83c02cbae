import { spawn } from 'node:child_process'
import { createServer } from 'vite'
import { inProject, say } from '../boot/project.mjs'

// Server and web app reload when their sources change: Node restarts the server, and Vite updates the web app. The
// browser connects to Vite, which forwards requests for the server (apps/web/vite.config.ts).
const web = inProject('apps', 'web')
const vite = await createServer({ root: web, configFile: inProject('apps', 'web', 'vite.config.ts') })
await vite.listen()
const webUrl = vite.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? ''
say(`the web app reloads at ${webUrl}`)

const server = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', inProject('apps/server/src/main.ts')],
  {
    stdio: 'inherit',
    // The server must use the address that the browser shows, in links and in checks of the origin.
    env: { PUBLIC_URL: webUrl, ...process.env },
  },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
server.on('exit', (code) => {
  process.exitCode = code ?? 1
  void vite.close()
})
