import {
  type AlertKind,
  type AlertChoice,
  type AlertPreferences,
  countUnreadAlerts,
  getAlertPreferences,
  listAlerts,
  readAlert,
  readAllAlerts,
  updateAlertPreferences,
} from '@pegasus/contracts/alerts/alerts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { ApiError } from '@/lib/http/api-error.ts'
import { apiListQuery, apiQuery } from '@/lib/http/api-queries.ts'

/** Every query about alerts starts with this key. An alert event invalidates them all. */
const ALERTS_KEY = ['alerts'] as const

export const unreadQuery = apiQuery([...ALERTS_KEY, 'unread'], countUnreadAlerts)

export const inboxQuery = apiListQuery([...ALERTS_KEY, 'inbox'], listAlerts)

export const preferencesQuery = apiQuery([...ALERTS_KEY, 'preferences'], getAlertPreferences)

/** Marks one alert as read. With `isAll`, all earlier alerts are marked too. */
export function useRead() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, isAll = false }: { id: string; isAll?: boolean }) =>
      isAll ? callApi(readAllAlerts, { body: { up_to: id } }) : callApi(readAlert, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ALERTS_KEY }),
  })
}

interface PreferenceChange {
  kind: AlertKind
  choice: Partial<AlertChoice>
}

const put = ({ kind, choice }: PreferenceChange, revision: number): Promise<AlertPreferences> =>
  callApi(updateAlertPreferences, { body: { [kind]: choice }, headers: ifMatch(revision) })

/**
 * Saves one switch immediately. The request contains only that switch, so that it does not overwrite changes in another
 * window.
 */
export function useChoose() {
  const queryClient = useQueryClient()
  const { queryKey } = preferencesQuery
  return useMutation({
    // Requests are sent one after the other, because each needs the revision that the previous one returns.
    scope: { id: 'alert-preferences' },
    async mutationFn(change: PreferenceChange) {
      const known = await queryClient.ensureQueryData(preferencesQuery)
      try {
        return await put(change, known.revision)
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 412) throw error
        const { revision } = await callApi(getAlertPreferences)
        return await put(change, revision)
      }
    },
    onMutate: ({ kind, choice }) =>
      queryClient.setQueryData(
        queryKey,
        (now) => now && { ...now, choices: { ...now.choices, [kind]: { ...now.choices[kind], ...choice } } },
      ),
    onSuccess: ({ revision }) => queryClient.setQueryData(queryKey, (now) => now && { ...now, revision }),
    onError: () => queryClient.invalidateQueries({ queryKey }),
  })
}
