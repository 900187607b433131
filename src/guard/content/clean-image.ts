/** An image that a model may see, and its size. */

/** An image that a model may see. */
export interface CleanImage {
  readonly mediaType: 'image/png' | 'image/jpeg';
  /** The file without text, profiles, other metadata and what follows its end. */
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Size that the one header of an image states. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}
