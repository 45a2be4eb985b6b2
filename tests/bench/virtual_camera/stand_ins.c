/* Memory for camera buffers where the kernel has neither DMA heaps nor udmabuf: plain shared memory in their place.
 * Loaded with LD_PRELOAD. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *instead(const char *path)
{
    return !strcmp(path, "/dev/udmabuf") || !strncmp(path, "/dev/dma_heap/", 14) ? "/dev/null" : path;
}

#define OPENS(NAME)                                                    \
    int NAME(const char *path, int flags, ...)                         \
    {                                                                  \
        va_list rest;                                                  \
        va_start(rest, flags);                                         \
        mode_t mode = va_arg(rest, mode_t);                            \
        va_end(rest);                                                  \
        int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #NAME); \
        return real(instead(path), flags, mode);                       \
    }
OPENS(open)
OPENS(open64)

static int heap(struct dma_heap_allocation_data *wanted)
{
    int fd = memfd_create("heap", MFD_CLOEXEC);

    if (fd < 0 || ftruncate(fd, (off_t)wanted->len))
        return -1;
    wanted->fd = (__u32)fd;
    return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    int (*real)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");

    switch ((unsigned)request) {
    case UDMABUF_CREATE:
        return dup((int)((struct udmabuf_create *)argument)->memfd);
    case DMA_HEAP_IOCTL_ALLOC:
        return heap(argument);
    case DMA_BUF_IOCTL_SYNC:
    case (unsigned)DMA_BUF_SET_NAME_A:
    case (unsigned)DMA_BUF_SET_NAME_B:
        return 0;
    }
    return real(fd, request, argument);
}
