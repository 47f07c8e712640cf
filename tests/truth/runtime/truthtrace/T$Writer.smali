.class final Ltruthtrace/T$Writer;
.super Ljava/lang/Thread;
.source "T.java"

# annotations
.annotation system Ldalvik/annotation/EnclosingClass;
    value = Ltruthtrace/T;
.end annotation

.annotation system Ldalvik/annotation/InnerClass;
    accessFlags = 0x18
    name = "Writer"
.end annotation

# direct methods
.method constructor <init>()V
    .registers 2

    .line 36
    const-string v0, "truth-writer"

    invoke-direct {p0, v0}, Ljava/lang/Thread;-><init>(Ljava/lang/String;)V

    .line 37
    return-void
.end method

.method private static total()J
    .registers 6

    .line 40
    invoke-static {}, Ltruthtrace/T;->access$000()Ljava/util/ArrayList;

    move-result-object v0

    monitor-enter v0

    .line 41
    const-wide/16 v1, 0x0

    .line 42
    .local v1, "n":J
    const/4 v3, 0x0

    .local v3, "i":I
    :goto_8
    :try_start_8
    invoke-static {}, Ltruthtrace/T;->access$000()Ljava/util/ArrayList;

    move-result-object v4

    invoke-virtual {v4}, Ljava/util/ArrayList;->size()I

    move-result v4

    if-ge v3, v4, :cond_23

    invoke-static {}, Ltruthtrace/T;->access$000()Ljava/util/ArrayList;

    move-result-object v4

    invoke-virtual {v4, v3}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;

    move-result-object v4

    check-cast v4, Ltruthtrace/T$Log;

    iget v4, v4, Ltruthtrace/T$Log;->count:I

    int-to-long v4, v4

    add-long/2addr v1, v4

    add-int/lit8 v3, v3, 0x1

    goto :goto_8

    .line 43
    .end local v3    # "i":I
    :cond_23
    monitor-exit v0

    return-wide v1

    .line 44
    .end local v1    # "n":J
    :catchall_25
    move-exception v1

    monitor-exit v0
    :try_end_27
    .catchall {:try_start_8 .. :try_end_27} :catchall_25

    throw v1
.end method

# virtual methods
.method public run()V
    .registers 15

    .line 50
    const-wide/16 v0, -0x1

    .line 51
    .local v0, "before":J
    const/4 v2, 0x0

    .local v2, "i":I
    :goto_3
    const/16 v3, 0x19

    if-ge v2, v3, :cond_19

    .line 52
    :try_start_7
    invoke-static {}, Ltruthtrace/T$Writer;->total()J

    move-result-wide v3

    .line 53
    .local v3, "now":J
    cmp-long v5, v3, v0

    if-nez v5, :cond_10

    goto :goto_19

    .line 54
    :cond_10
    move-wide v0, v3

    .line 55
    const-wide/16 v5, 0x8

    invoke-static {v5, v6}, Ljava/lang/Thread;->sleep(J)V

    .line 51
    .end local v3    # "now":J
    add-int/lit8 v2, v2, 0x1

    goto :goto_3

    .line 57
    .end local v2    # "i":I
    :cond_19
    :goto_19
    new-instance v2, Ljava/io/DataOutputStream;

    new-instance v3, Ljava/io/BufferedOutputStream;

    new-instance v4, Ljava/io/FileOutputStream;

    const-string v5, "truth.out"

    const-string v6, "truth.bin"

    .line 58
    invoke-static {v5, v6}, Ljava/lang/System;->getProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;

    move-result-object v5

    invoke-direct {v4, v5}, Ljava/io/FileOutputStream;-><init>(Ljava/lang/String;)V

    const/high16 v5, 0x10000

    invoke-direct {v3, v4, v5}, Ljava/io/BufferedOutputStream;-><init>(Ljava/io/OutputStream;I)V

    invoke-direct {v2, v3}, Ljava/io/DataOutputStream;-><init>(Ljava/io/OutputStream;)V

    .line 59
    .local v2, "out":Ljava/io/DataOutputStream;
    invoke-static {}, Ltruthtrace/T;->access$000()Ljava/util/ArrayList;

    move-result-object v3

    monitor-enter v3
    :try_end_37
    .catch Ljava/lang/Exception; {:try_start_7 .. :try_end_37} :catch_92

    .line 60
    const/4 v4, 0x0

    .local v4, "i":I
    :goto_38
    :try_start_38
    invoke-static {}, Ltruthtrace/T;->access$000()Ljava/util/ArrayList;

    move-result-object v5

    invoke-virtual {v5}, Ljava/util/ArrayList;->size()I

    move-result v5

    if-ge v4, v5, :cond_8a

    .line 61
    invoke-static {}, Ltruthtrace/T;->access$000()Ljava/util/ArrayList;

    move-result-object v5

    invoke-virtual {v5, v4}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;

    move-result-object v5

    check-cast v5, Ltruthtrace/T$Log;

    .line 62
    .local v5, "log":Ltruthtrace/T$Log;
    iget v6, v5, Ltruthtrace/T$Log;->count:I

    .line 63
    .local v6, "n":I
    iget-object v7, v5, Ltruthtrace/T$Log;->ids:[I

    .line 64
    .local v7, "ids":[I
    iget v8, v5, Ltruthtrace/T$Log;->number:I

    invoke-virtual {v2, v8}, Ljava/io/DataOutputStream;->writeInt(I)V

    .line 65
    iget-object v8, v5, Ltruthtrace/T$Log;->name:Ljava/lang/String;

    invoke-virtual {v2, v8}, Ljava/io/DataOutputStream;->writeUTF(Ljava/lang/String;)V

    .line 66
    invoke-virtual {v2, v6}, Ljava/io/DataOutputStream;->writeInt(I)V

    .line 67
    mul-int/lit8 v8, v6, 0x4

    new-array v8, v8, [B

    .line 68
    .local v8, "raw":[B
    const/4 v9, 0x0

    .local v9, "k":I
    const/4 v10, 0x0

    .local v10, "at":I
    :goto_63
    if-ge v9, v6, :cond_84

    .line 69
    aget v11, v7, v9

    .line 70
    .local v11, "v":I
    add-int/lit8 v12, v10, 0x1

    .end local v10    # "at":I
    .local v12, "at":I
    shr-int/lit8 v13, v11, 0x18

    int-to-byte v13, v13

    aput-byte v13, v8, v10

    .line 71
    add-int/lit8 v10, v12, 0x1

    .end local v12    # "at":I
    .restart local v10    # "at":I
    shr-int/lit8 v13, v11, 0x10

    int-to-byte v13, v13

    aput-byte v13, v8, v12

    .line 72
    add-int/lit8 v12, v10, 0x1

    .end local v10    # "at":I
    .restart local v12    # "at":I
    shr-int/lit8 v13, v11, 0x8

    int-to-byte v13, v13

    aput-byte v13, v8, v10

    .line 73
    add-int/lit8 v10, v12, 0x1

    .end local v12    # "at":I
    .restart local v10    # "at":I
    int-to-byte v13, v11

    aput-byte v13, v8, v12

    .line 68
    .end local v11    # "v":I
    add-int/lit8 v9, v9, 0x1

    goto :goto_63

    .line 75
    .end local v9    # "k":I
    .end local v10    # "at":I
    :cond_84
    invoke-virtual {v2, v8}, Ljava/io/DataOutputStream;->write([B)V

    .line 60
    .end local v5    # "log":Ltruthtrace/T$Log;
    .end local v6    # "n":I
    .end local v7    # "ids":[I
    .end local v8    # "raw":[B
    add-int/lit8 v4, v4, 0x1

    goto :goto_38

    .line 77
    .end local v4    # "i":I
    :cond_8a
    monitor-exit v3
    :try_end_8b
    .catchall {:try_start_38 .. :try_end_8b} :catchall_8f

    .line 78
    :try_start_8b
    invoke-virtual {v2}, Ljava/io/DataOutputStream;->close()V
    :try_end_8e
    .catch Ljava/lang/Exception; {:try_start_8b .. :try_end_8e} :catch_92

    .line 81
    .end local v0    # "before":J
    .end local v2    # "out":Ljava/io/DataOutputStream;
    goto :goto_ab

    .line 77
    .restart local v0    # "before":J
    .restart local v2    # "out":Ljava/io/DataOutputStream;
    :catchall_8f
    move-exception v4

    :try_start_90
    monitor-exit v3
    :try_end_91
    .catchall {:try_start_90 .. :try_end_91} :catchall_8f

    :try_start_91
    throw v4
    :try_end_92
    .catch Ljava/lang/Exception; {:try_start_91 .. :try_end_92} :catch_92

    .line 79
    .end local v0    # "before":J
    .end local v2    # "out":Ljava/io/DataOutputStream;
    :catch_92
    move-exception v0

    .line 80
    .local v0, "e":Ljava/lang/Exception;
    sget-object v1, Ljava/lang/System;->err:Ljava/io/PrintStream;

    new-instance v2, Ljava/lang/StringBuilder;

    invoke-direct {v2}, Ljava/lang/StringBuilder;-><init>()V

    const-string v3, "truth: trace lost: "

    invoke-virtual {v2, v3}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;

    move-result-object v2

    invoke-virtual {v2, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/Object;)Ljava/lang/StringBuilder;

    move-result-object v2

    invoke-virtual {v2}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;

    move-result-object v2

    invoke-virtual {v1, v2}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V

    .line 82
    .end local v0    # "e":Ljava/lang/Exception;
    :goto_ab
    return-void
.end method
