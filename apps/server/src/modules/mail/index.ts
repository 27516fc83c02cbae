export { createOutbox } from './outbox.ts'
export { addOutboxRoutes } from './outbox.routes.ts'
