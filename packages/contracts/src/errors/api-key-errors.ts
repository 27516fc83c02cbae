import type { ErrorEntry } from './error-entry.ts'

/** What goes wrong with API keys, and with what they alone open. */
export const KEY_ERRORS = {
  API_KEY_NOT_FOUND: { status: 404, message: 'This API key is not there any more.' },
  KEY_OWNERS_ONLY: {
    status: 403,
    message: 'Only an owner can make, rotate or enable API keys of other owners and admins.',
  },
  KEY_OWNER_UNKNOWN: { status: 422, message: 'There is no such user. Please select a user.' },
  KEY_OWNER_NOT_IN_FORCE: {
    status: 422,
    message: 'This user is deactivated or not approved yet, and cannot own API keys.',
  },
  KEY_OWNER_WITHOUT_ACCESS: {
    status: 422,
    message: 'This user has no system access, and cannot own API keys.',
  },

  PRINT_JOB_NOT_YOURS: {
    status: 409,
    message: 'This print job is not claimed by you, or not any more.',
    code: 'print_job_not_yours',
  },
  PRINT_JOB_FILE_MISSING: { status: 404, message: 'This print job has no file.' },
} as const satisfies Record<string, ErrorEntry>
