import { errorMessage } from '@/lib/http/api-error.ts'
import { toast } from './ui/overlays/toast-store.ts'

/** Says why something that was done with one press did not come about. */
export const tellFailure = (error: unknown): void =>
  toast({ title: errorMessage(error, 'That did not work. Please try again.') })
