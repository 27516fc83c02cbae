import { Download, X } from 'lucide-react'
import { Button } from '@/components/ui/actions/button.tsx'
import { formatKb } from '@/lib/format/format.ts'
import { type AuditFilters, auditQuery } from './audit-address.ts'
import { exportAudit } from '@pegasus/contracts/audit'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callForBytes } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { saveFile } from '@/lib/browser/save-file.ts'
import { ICON } from '@/components/ui/icon-props.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

interface AuditExport {
  start: () => void
  cancel: () => void
  /** Bytes received so far; null if no export is running. */
  receivedBytes: number | null
}

/** Downloads the matching entries as a file. The download is cancelled when the person leaves the page. */
function useAuditExport(filters: AuditFilters): AuditExport {
  const [receivedBytes, setReceivedBytes] = useState(0)
  const leave = useRef<AbortController | null>(null)
  useEffect(() => () => leave.current?.abort(), [])

  const exporting = useMutation({
    mutationFn: async () => {
      const { signal } = (leave.current = new AbortController())
      setReceivedBytes(0)
      const response = await callForBytes(exportAudit, { query: auditQuery(filters), signal })
      saveFile(await readAll(response, setReceivedBytes), nameOf(response))
    },
    onError: (error) => {
      if (leave.current?.signal.aborted) return
      toast({
        title: errorMessage(error, t('Failed to export. Please try again.')),
        action: { label: t('Retry'), onSelect: () => exporting.mutate() },
      })
    },
  })
  return {
    start: () => exporting.mutate(),
    cancel: () => leave.current?.abort(),
    receivedBytes: exporting.isPending ? receivedBytes : null,
  }
}

/** Returns the file name that the server has sent. */
const nameOf = (response: Response): string =>
  /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'audit.csv'

async function readAll(response: Response, onProgress: (bytes: number) => void): Promise<Blob> {
  const parts: BlobPart[] = []
  let bytes = 0
  const reader = response.body?.getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    parts.push(part.value)
    bytes += part.value.length
    onProgress(bytes)
  }
  return new Blob(parts, { type: 'text/csv' })
}

/** Downloads all listed entries as a CSV file for spreadsheets. */
export function ExportButton({ filters, isDisabled }: { filters: AuditFilters; isDisabled: boolean }) {
  const { start, cancel, receivedBytes } = useAuditExport(filters)
  if (receivedBytes === null)
    return (
      <Button onClick={start} disabled={isDisabled} icon={<Download {...ICON} />}>
        {t('Export')}
      </Button>
    )
  return (
    <Button onClick={cancel} icon={<X {...ICON} />}>
      {rich('Cancel export {receivedBytes}', {
        receivedBytes: <span className="text-ink-3">{formatKb(receivedBytes)}</span>,
      })}
    </Button>
  )
}
