import { spawn } from 'node:child_process'
import { createServer } from 'vite'
import { inProject, say } from '../boot/project.mjs'

// Server and web app both reload after changes. Node watches the sources of the server, and Vite those of the
// web app. The browser sends its requests to Vite, which forwards those for the server
// (apps/web/vite.config.ts).
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
    // Links and origin checks must use the address in the browser.
    env: { PUBLIC_URL: webUrl, ...process.env },
  },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
server.on('exit', (code) => {
  process.exitCode = code ?? 1
  void vite.close()
})
