import {
  type ApiKey,
  type IssuedApiKey,
  deleteApiKey,
  disableApiKey,
  enableApiKey,
  rotateApiKey,
} from '@pegasus/contracts/api-keys'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi, type ListPage } from '@/lib/http/api.ts'
import { errorDetail } from '@/lib/http/api-error.ts'
import { copyText } from '@/lib/browser/clipboard.ts'
import { API_KEYS_KEY, apiKeysQuery } from './api-keys.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

const ROTATION = ['rotate-api-key']

export interface KeyActions {
  /** Enables or disables a key. The list changes immediately, and changes back if the server refuses. */
  toggle: (key: ApiKey) => void
  /** Replaces a key, unless another rotation is running. */
  rotate: (key: ApiKey) => void
  /** Id of the key that is being rotated. */
  rotatingId: string | null
  /** Resolves when the key is deleted. If the deletion fails, the error is shown and the promise rejects. */
  remove: (key: ApiKey) => Promise<void>
}

/** The actions on an existing key, with their toasts. */
export function useKeyActions(onIssued: (issued: IssuedApiKey) => void): KeyActions {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: [API_KEYS_KEY] })

  const show = (id: string, isActive: boolean) =>
    client.setQueryData(
      apiKeysQuery.queryKey,
      (page: ListPage<ApiKey> | undefined) =>
        page && {
          ...page,
          items: page.items.map((key) => (key.id === id ? { ...key, is_active: isActive } : key)),
        },
    )

  const toggling = useMutation({
    mutationFn: (key: ApiKey) =>
      callApi(key.is_active ? disableApiKey : enableApiKey, { params: { id: key.id } }),
    onMutate: async (key) => {
      await client.cancelQueries({ queryKey: apiKeysQuery.queryKey })
      show(key.id, !key.is_active)
    },
    onSuccess: (_, key) =>
      toast({
        title: key.is_active ? t('API key disabled successfully!') : t('API key enabled successfully!'),
      }),
    onError: (_, key) => {
      show(key.id, key.is_active)
      toast({
        title: key.is_active ? t('Failed to disable API key.') : t('Failed to enable API key.'),
      })
    },
    onSettled: refresh,
  })

  const rotating = useMutation({
    mutationKey: ROTATION,
    mutationFn: (key: ApiKey) => callApi(rotateApiKey, { params: { id: key.id } }),
    onSuccess: (issued) => {
      onIssued(issued)
      toast({ title: t('API key rotated successfully!'), durationMs: KEY_TOAST_MS })
    },
    onError: (error) => toast({ title: errorDetail(error, t('Failed to rotate API key.')) }),
    onSettled: refresh,
  })

  const removing = useMutation({
    mutationFn: (key: ApiKey) => callApi(deleteApiKey, { params: { id: key.id } }),
    onSuccess: () => toast({ title: t('API key deleted successfully!') }),
    onError: () => toast({ title: t('Failed to delete API key.') }),
    onSettled: refresh,
  })

  return {
    toggle: toggling.mutate,
    rotate: (key) => {
      // The second half of a double click comes before the button is disabled. A second rotation would end the key
      // that the first one shows.
      if (client.isMutating({ mutationKey: ROTATION }) === 0) rotating.mutate(key)
    },
    rotatingId: rotating.isPending ? rotating.variables.id : null,
    remove: removing.mutateAsync,
  }
}

/** How long the toast and the dialog show a new key, in ms. */
export const KEY_TOAST_MS = 10_000

/** Copies the start of a key. The toast explains that only the start can be copied. */
export async function copyPrefix({ key_prefix: prefix }: ApiKey): Promise<void> {
  const isCopied = await copyText(prefix)
  toast({
    title: isCopied
      ? t('Prefix copied. Only the prefix is available: the full key was shown once, when it was created.')
      : t('Only the prefix is available: the full key was shown once, when it was created.'),
  })
}
