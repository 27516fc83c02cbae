export { createOutbox } from './outbox.ts'
export { addOutboxRoutes } from './outbox.routes.ts'
export {
  countActiveOwners,
  findPerson,
  insertPerson,
  insertProfile,
  listPeople,
  type PersonRow,
  presentCurrentUser,
  presentUser,
  replaceRole,
  setSystemAccess,
} from './users.queries.ts'
