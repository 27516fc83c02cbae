import { getSupportBundle } from '@pegasus/contracts/system'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { Button } from '@/components/ui/actions/button.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { saveFile } from '@/lib/browser/save-file.ts'
import { callForBytes } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { t } from '@/lib/i18n/messages.ts'

/** A button that downloads a report about the installation, without secrets, for support. */
export function SupportBundleButton() {
  const making = useMutation({
    mutationFn: async () => {
      const response = await callForBytes(getSupportBundle)
      saveFile(await response.blob(), 'pegasus-ops-support.json')
    },
    onError: (error) =>
      toast({ title: errorMessage(error, t('The report could not be created. Please try again.')) }),
  })
  return (
    <Button
      size="sm"
      icon={<Download size={14} strokeWidth={1.75} aria-hidden />}
      isPending={making.isPending}
      onClick={() => making.mutate()}
    >
      {t('Support bundle')}
    </Button>
  )
}
