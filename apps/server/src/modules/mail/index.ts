export { createTransports } from './transports.ts'
export { addOutboxRoutes } from './outbox.routes.ts'
