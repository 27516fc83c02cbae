import { say } from '../boot/project.mjs'
import { ensureWebBuilt } from '../web/ensure-built.ts'

// Node and the dependencies are already installed when this file runs. So after this, a start only starts the server.
await ensureWebBuilt()
say('everything is installed and built: npm start starts at once')
