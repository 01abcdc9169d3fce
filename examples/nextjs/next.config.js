/** Nothing is told to anybody about the machine that builds. */
process.env.NEXT_TELEMETRY_DISABLED = '1';

export default {
  poweredByHeader: false,
  turbopack: { root: import.meta.dirname },
  headers: () => [
    {
      source: '/:path*',
      headers: [
        { key: 'content-security-policy', value: "frame-ancestors 'none'; base-uri 'none'; object-src 'none'" },
        { key: 'x-content-type-options', value: 'nosniff' },
      ],
    },
  ],
};
