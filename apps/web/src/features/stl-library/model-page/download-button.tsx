import type { Model } from '@pegasus/contracts/stl-library/models'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { Button } from '@/components/ui/actions/button.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { downloadModel } from '../fields/model-file.ts'

export function DownloadButton({ model }: { model: Pick<Model, 'id' | 'file_name'> }) {
  const download = useMutation({
    mutationFn: () => downloadModel(model),
    onError: (error) =>
      toast({
        title: errorMessage(error, 'Failed to download. Please try again.'),
        action: { label: 'Retry', onSelect: () => download.mutate() },
      }),
  })
  return (
    <Button
      onClick={() => download.mutate()}
      isPending={download.isPending}
      icon={<Download size={16} strokeWidth={1.75} aria-hidden />}
      title={model.file_name}
    >
      Download
    </Button>
  )
}
