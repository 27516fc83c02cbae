import {
  resetUserFactors,
  sendInvitation,
  type UpdateUserBody,
  updateUser,
  type User,
} from '@pegasus/contracts/users/users'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { PEOPLE_KEY } from './accounts.queries.ts'
import { nameOf } from './account-labels.ts'
import { t } from '@/lib/i18n/messages.ts'

interface Change {
  person: User
  change: UpdateUserBody
  /** Text of the toast after success. */
  done: string
  /** The change that the Undo button in the toast sends. */
  undo?: UpdateUserBody
}

export const approval = (person: User): Change => ({
  person,
  change: { approved: true },
  done: t('{person} approved.', { person: nameOf(person) }),
})

/**
 * Returns the change that declines an account. A declined account cannot sign in, and no longer waits for
 * approval.
 */
export const refusal = (person: User): Change => ({
  person,
  change: { is_active: false },
  done: t('{person} declined.', { person: nameOf(person) }),
  undo: { is_active: true },
})

export interface AccountMutations {
  /** Rejects with the server's message. The server refuses to overwrite a change by somebody else. */
  update: (change: Change) => Promise<User>
  invite: (person: User) => Promise<User>
  /** Removes the second factor of a person who has lost it. */
  resetFactors: (person: User) => Promise<unknown>
  isBusy: boolean
}

export function useAccountMutations(): AccountMutations {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: [PEOPLE_KEY] })

  const updating = useMutation({
    mutationFn: ({ person, change }: Change) =>
      callApi(updateUser, {
        params: { id: person.id },
        body: change,
        headers: ifMatch(person.revision),
      }),
    onSuccess: (after, { done, undo }) =>
      toast({
        title: done,
        ...(undo && {
          action: {
            label: t('Undo'),
            onSelect: () =>
              updating.mutate(
                { person: after, change: undo, done: t('Undone.') },
                { onError: reportFailure },
              ),
          },
        }),
      }),
    onSettled: refresh,
  })
  const inviting = useMutation({
    mutationFn: (person: User) => callApi(sendInvitation, { params: { id: person.id } }),
    onSuccess: () => toast({ title: t('Invitation sent again.') }),
    onSettled: refresh,
  })
  const resetting = useMutation({
    mutationFn: (person: User) => callApi(resetUserFactors, { params: { id: person.id } }),
    onSuccess: () => toast({ title: t('Second factor removed. Sessions ended.') }),
    onSettled: refresh,
  })

  return {
    update: updating.mutateAsync,
    invite: inviting.mutateAsync,
    resetFactors: resetting.mutateAsync,
    isBusy: updating.isPending || inviting.isPending || resetting.isPending,
  }
}

/** Shows the error of a row's action in a toast, because a row has no dialog for it. */
export const reportFailure = (error: unknown): void =>
  toast({ title: error instanceof Error ? error.message : t('That did not work. Please try again.') })
