import {
  type BufferGeometry,
  Mesh,
  MeshBasicMaterial,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  WebGLRenderTarget,
  type WebGLRenderer,
} from 'three'
import type { Vec3 } from './view-math.ts'

const TEXTURE_SIZE = 512
const DARKNESS = 0.42

/**
 * Shader that renders the part's distance from the floor, seen from below. The value is 1 at contact, and fades to 0
 * with height.
 */
const nearnessShader = `
  varying float vHeight;
  uniform float reach;
  void main() { gl_FragColor = vec4(0.0, 0.0, 0.0, 1.0 - smoothstep(0.0, reach, vHeight)); }`
const heightShader = `
  varying float vHeight;
  void main() {
    vHeight = position.z;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`
const blurShader = `
  uniform sampler2D map;
  uniform vec2 stride;
  varying vec2 vAt;
  void main() {
    float sum = 0.0;
    float weights = 0.0;
    for (int i = -8; i <= 8; i++) {
      float weight = exp(-float(i * i) / 26.0);
      sum += texture2D(map, vAt + stride * float(i)).a * weight;
      weights += weight;
    }
    gl_FragColor = vec4(0.0, 0.0, 0.0, sum / weights);
  }`
const planeShader = `
  varying vec2 vAt;
  void main() { vAt = uv; gl_Position = vec4(position.xy * 2.0, 0.0, 1.0); }`

/** Creates the soft shadow below a part of this size. `bake` draws it once, and again after a lost context. */
export function createContactShadow(renderer: WebGLRenderer, size: Vec3) {
  const side = Math.max(size[0], size[1]) * 1.6 || 1
  const sharp = new WebGLRenderTarget(TEXTURE_SIZE, TEXTURE_SIZE)
  const soft = new WebGLRenderTarget(TEXTURE_SIZE, TEXTURE_SIZE)
  const below = new OrthographicCamera(-side / 2, side / 2, side / 2, -side / 2, 0, size[2] + 2)
  below.position.z = -1
  below.up.set(0, 1, 0)
  below.lookAt(0, 0, 1)

  const nearness = new ShaderMaterial({
    vertexShader: heightShader,
    fragmentShader: nearnessShader,
    uniforms: { reach: { value: Math.max(size[0], size[1]) * 0.35 || 1 } },
    side: 2,
  })
  const blur = new ShaderMaterial({
    vertexShader: planeShader,
    fragmentShader: blurShader,
    uniforms: { map: { value: sharp.texture }, stride: { value: [0, 0] } },
    depthTest: false,
    depthWrite: false,
  })
  const screen = new Mesh(new PlaneGeometry(1, 1), blur)
  screen.frustumCulled = false
  const material = new MeshBasicMaterial({
    map: sharp.texture,
    transparent: true,
    opacity: DARKNESS,
    depthWrite: false,
  })
  const object = new Mesh(new PlaneGeometry(side, side), material)
  // The view from below mirrors the x axis.
  object.scale.x = -1

  const bake = (part: BufferGeometry) => {
    const shape = new Scene()
    const copy = new Mesh(part, nearness)
    shape.add(copy)
    renderer.setRenderTarget(sharp)
    renderer.setClearColor(0x000000, 0)
    renderer.clear()
    renderer.render(shape, below)
    const stage = new Scene()
    stage.add(screen)
    const pass = (from: WebGLRenderTarget, to: WebGLRenderTarget, stride: [number, number]) => {
      Object.assign(blur.uniforms, { map: { value: from.texture }, stride: { value: stride } })
      renderer.setRenderTarget(to)
      renderer.clear()
      renderer.render(stage, below)
    }
    for (const step of [1.6, 0.8]) {
      pass(sharp, soft, [step / TEXTURE_SIZE, 0])
      pass(soft, sharp, [0, step / TEXTURE_SIZE])
    }
    renderer.setRenderTarget(null)
  }
  return {
    object,
    bake,
    dispose: () => {
      for (const target of [sharp, soft]) target.dispose()
      for (const used of [nearness, blur, material]) used.dispose()
      screen.geometry.dispose()
      object.geometry.dispose()
    },
  }
}
