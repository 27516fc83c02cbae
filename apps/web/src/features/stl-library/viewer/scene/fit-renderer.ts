import type { PerspectiveCamera, WebGLRenderer } from 'three'

/** Gives the picture the size of its container. Returns false while the container has none. */
export function fitRenderer(
  container: HTMLElement,
  renderer: WebGLRenderer,
  camera: PerspectiveCamera,
): boolean {
  const { clientWidth: width, clientHeight: height } = container
  if (width === 0 || height === 0) return false
  renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2))
  renderer.setSize(width, height, false)
  camera.aspect = width / height
  return true
}
