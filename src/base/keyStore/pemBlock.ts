/** Bytes in DER as PEM has them. */
export function pemBlock(label: 'CERTIFICATE' | 'PRIVATE KEY', der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
