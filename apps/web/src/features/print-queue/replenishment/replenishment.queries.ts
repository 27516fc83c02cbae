import {
  type AcceptReplenishmentBody,
  acceptReplenishment,
  dismissReplenishment,
  proposeReplenishment,
  listReplenishmentProposals,
  restoreReplenishment,
  updateReplenishmentSchedule,
  type ReplenishmentProposal,
  type ReplenishmentSchedule,
} from '@pegasus/contracts/print-queue/replenishment'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { apiQuery } from '@/lib/http/api-queries.ts'
import { QUEUE_KEY } from '../print-queue.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Returns the nightly proposals of prints that refill the stock. */
export const proposalsQuery = apiQuery([QUEUE_KEY, 'replenishment'], listReplenishmentProposals)

/** Mutations that accept, change or dismiss proposals, and that change their schedule. */
export function useReplenishment() {
  const client = useQueryClient()
  const settle = {
    onError: toastError,
    onSettled: () => {
      for (const key of [QUEUE_KEY, 'stats', 'inventory']) void client.invalidateQueries({ queryKey: [key] })
    },
  }
  const accept = useMutation({
    mutationFn: (items: AcceptReplenishmentBody['items']) =>
      callApi(acceptReplenishment, { body: { items } }),
    onSuccess: ({ jobs }) =>
      toast({ title: t('Queued {jobs, plural, one {# print} other {# prints}}', { jobs: jobs.length }) }),
    ...settle,
  })
  const restore = useMutation({
    mutationFn: (id: string) => callApi(restoreReplenishment, { body: { ids: [id] } }),
    ...settle,
  })
  const dismiss = useMutation({
    mutationFn: ({ id }: ReplenishmentProposal) => callApi(dismissReplenishment, { body: { ids: [id] } }),
    onSuccess: (_, { id, name }) =>
      toast({
        title: t('{name} is not proposed for a week', { name }),
        action: { label: t('Undo'), onSelect: () => restore.mutate(id) },
      }),
    ...settle,
  })
  const propose = useMutation({
    mutationFn: async () => {
      const before = client.getQueryData(proposalsQuery.queryKey)?.proposals ?? []
      const known = new Set(before.map(({ id }) => id))
      const after = await callApi(proposeReplenishment, {})
      return { after, added: after.proposals.filter(({ id }) => !known.has(id)).length }
    },
    onSuccess: ({ after, added }) => {
      client.setQueryData(proposalsQuery.queryKey, after)
      // If nothing was proposed, the page itself says why.
      if (added > 0) toast({ title: t('{added, plural, one {# item} other {# items}} proposed', { added }) })
    },
    ...settle,
  })
  const setSchedule = useMutation({
    mutationFn: (body: ReplenishmentSchedule) => callApi(updateReplenishmentSchedule, { body }),
    onSuccess: () => toast({ title: t('The hour is saved.') }),
    ...settle,
  })
  return { accept, dismiss, propose, setSchedule }
}
