import { say } from '../boot/project.mjs'
import { ensureWebBuilt } from '../web/ensure-built.ts'

// The boot has already installed Node and the dependencies, so the next start only has to start the server.
await ensureWebBuilt()
say('everything is installed and built: npm start starts at once')
